package dev.substrat.mcp.server;

import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.testkit.Prerequisite;
import java.util.List;

/// A successful example call of a tool; the examples run in order. `{key}` is a value of an earlier
/// result.
record ExampleCall(String agent, String tool, String arguments) {
  /// One of each tool.
  static final List<ExampleCall> ALL =
      List.of(
          new ExampleCall("mira", "spawn_agent", "{'name':'noor','instructions':'review'}"),
          new ExampleCall("mira", "send_message", "{'recipient':'ada','text':'hi','sync':false}"),
          new ExampleCall("mira", "message_status", "{'message_id':'{message_id}'}"),
          new ExampleCall("ada", "broadcast", "{'text':'all hands'}"),
          new ExampleCall("ada", "check_inbox", "{}"),
          new ExampleCall("mira", "inspect_agent", "{'name':'ada'}"),
          new ExampleCall("mira", "list_children", "{}"),
          new ExampleCall("mira", "list_team", "{}"),
          new ExampleCall("ada", "subscribe", "{'name':'mira'}"),
          new ExampleCall("ada", "unsubscribe", "{'name':'mira'}"),
          new ExampleCall("mira", "poke", "{'name':'ben'}"),
          new ExampleCall("mira", "gate", "{'name':'ada'}"),
          new ExampleCall("mira", "permit_turn", "{'name':'ada'}"),
          new ExampleCall("mira", "ungate", "{'name':'ada'}"),
          new ExampleCall("mira", "remind_me", "{'text':'tide','in_seconds':3600}"),
          new ExampleCall("mira", "cancel_reminder", "{'reminder_id':'{reminder_id}'}"),
          new ExampleCall("mira", "set_agent_metadata", "{'metadata':{'ship':'Alma'}}"),
          new ExampleCall("lars", "update_memory", "{'label':'mood','content':'calm'}"),
          new ExampleCall("lars", "store_memory", "{'content':'High tide.','tags':['sea']}"),
          new ExampleCall("lars", "search_memory", "{'query':'tide'}"),
          new ExampleCall("lars", "set_memories", "{'memories':[{'key':'ship','value':'Alma'}]}"),
          new ExampleCall("lars", "get_memories", "{}"),
          new ExampleCall("lars", "delete_memories", "{'keys':['ship']}"),
          new ExampleCall("ada", "complete", "{'text':'done'}"),
          new ExampleCall("lars", "set_goals", "{'goals':[{'description':'reach the sea'}]}"),
          new ExampleCall("lars", "delete_goals", "{'ids':['{goal_id}']}"),
          new ExampleCall(
              "lars",
              "set_plans",
              "{'plans':[{'name':'tide','instruction':'look','cron':'0 9 * * *'}]}"),
          new ExampleCall("lars", "get_plans", "{}"),
          new ExampleCall("lars", "delete_plans", "{'ids':['{plan_id}']}"),
          new ExampleCall("mira", "read_messages", "{'spaceId':'deck'}"),
          new ExampleCall("mira", "enter_space", "{'spaceId':'deck'}"),
          new ExampleCall("mira", "list_spaces", "{}"),
          new ExampleCall("mira", "leave_space", "{}"),
          new ExampleCall("cleo", "react_to_message", "{'messageId':'{deck_message}','emoji':'⚓'}"),
          new ExampleCall("cleo", "do_nothing", "{}"),
          new ExampleCall("rosa", "list_files", "{}"),
          new ExampleCall("rosa", "write_file", "{'path':'log/tide.md','text':'High tide.'}"),
          new ExampleCall("rosa", "read_file", "{'path':'log/tide.md'}"),
          new ExampleCall("rosa", "edit_file", "{'path':'log/tide.md','old':'High','new':'Low'}"),
          new ExampleCall("rosa", "search_files", "{'text':'tide'}"),
          new ExampleCall("rosa", "run_command", "{'command':'echo aye > said'}"),
          new ExampleCall("mira", "terminate_agent", "{'name':'ben'}"));

  /// Examples that work on this machine: commands need a sandbox.
  static List<ExampleCall> here() {
    boolean hasSandbox = Sandbox.onPath(System.getenv("PATH")).works();
    if (Prerequisite.isCi()) {
      Prerequisite.require(hasSandbox, "commands need a sandbox");
    }
    return ALL.stream().filter(use -> hasSandbox || !use.tool().equals("run_command")).toList();
  }
}
