package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a tool takes is said before it is called, and what a service said when that failed.
final class ToolCommandsTest extends PlayedCommands {
  @BeforeEach
  void know() {
    daemon.answers(
        "GET /api/tools?agent=mira",
        200,
        """
        {"agent":"mira","tools":[
          {"name":"send_message","description":"Writes to somebody.","origin":"builtin",
           "visible":false,"inputSchema":{"type":"object","required":["recipient"],"properties":{
            "recipient":{"type":"string","description":"Who gets it."},
            "sync":{"type":"boolean","default":false},
            "files":{"type":"array","items":{"type":"object","required":["path"],"properties":{
             "path":{"type":"string"},"mode":{"enum":["ro","rw"]}}}}}}},
          {"name":"do_nothing","description":"Nothing.","origin":"builtin","visible":false,
           "inputSchema":{"type":"object"}}]}
        """);
  }

  @Test
  void a_tool_is_shown_with_its_arguments() {
    assertThat(run("tool", "show", "mira", "send_message").out())
        .containsPattern("tool +send_message\nfrom +built in\nwhat +Writes to somebody.\n")
        .containsPattern("ARGUMENT +TYPE +REQUIRED +MEANING")
        .containsPattern("recipient +string +yes +Who gets it.\n")
        .containsPattern("sync +boolean +Default: false.\n")
        .containsPattern("files +list of object\n")
        .containsPattern("files\\[].path +string +yes\n")
        .containsPattern("files\\[].mode +\"ro\" or \"rw\"\n");
    assertThat(run("tool", "show", "mira", "send_message", "--json").out())
        .contains("\"inputSchema\"");
    assertThat(run("tool", "show", "mira", "do_nothing").out()).contains("no arguments");
  }

  @Test
  void one_that_is_spelt_wrong_is_guessed() {
    var wrong = run("tool", "show", "mira", "send_mesage");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("mira has no tool send_mesage", "did you mean send_message?", "tool list mira");
  }

  @Test
  void what_the_service_said_is_shown() {
    daemon.answers(
        "POST /api/tools/look/call",
        200,
        """
        {"error":true,"code":"UPSTREAM_ERROR","message":"the service answered 500","hint":"later",
         "status":500,"excerpt":"kaboom"}
        """);
    var failed = run("tool", "call", "mira", "look");
    assertThat(failed.code()).isEqualTo(4);
    assertThat(failed.err())
        .contains("the service answered 500", "/status  500", "/excerpt  kaboom");
    assertThat(run("tool", "call", "mira", "look", "--json").err())
        .contains("{\"pointer\":\"/excerpt\",\"message\":\"kaboom\"}");
  }
}
