package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Commands for tools: arguments, and responses of failing services.
final class ToolCommandsTest extends FakeDaemonCommands {
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
        .containsPattern("tool +send_message\nfrom +built in\ndescription +Writes to somebody.\n")
        .containsPattern("ARGUMENT +TYPE +REQUIRED +DESCRIPTION")
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
  void a_misspelt_tool_gets_a_suggestion() {
    var wrong = run("tool", "show", "mira", "send_mesage");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("mira has no tool send_mesage", "did you mean send_message?", "tool list mira");
  }

  @Test
  void the_response_of_the_service_is_shown() {
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
