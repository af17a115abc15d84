package dev.substrat.mcp.server;

import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.testkit.Prerequisite;
import java.util.List;

/// A call that works at its place in the list. `{key}` is something that an earlier result had.
record Use(String agent, String tool, String arguments) {
  /// One of each tool.
  static final List<Use> ALL =
      List.of(
          new Use("mira", "spawn_agent", "{'name':'noor','instructions':'review'}"),
          new Use("mira", "send_message", "{'recipient':'ada','text':'hi','sync':false}"),
          new Use("mira", "message_status", "{'message_id':'{message_id}'}"),
          new Use("ada", "broadcast", "{'text':'all hands'}"),
          new Use("ada", "check_inbox", "{}"),
          new Use("mira", "inspect_agent", "{'name':'ada'}"),
          new Use("mira", "list_children", "{}"),
          new Use("mira", "list_team", "{}"),
          new Use("ada", "subscribe", "{'name':'mira'}"),
          new Use("ada", "unsubscribe", "{'name':'mira'}"),
          new Use("mira", "poke", "{'name':'ben'}"),
          new Use("mira", "gate", "{'name':'ada'}"),
          new Use("mira", "permit_turn", "{'name':'ada'}"),
          new Use("mira", "ungate", "{'name':'ada'}"),
          new Use("mira", "remind_me", "{'text':'tide','in_seconds':3600}"),
          new Use("mira", "cancel_reminder", "{'reminder_id':'{reminder_id}'}"),
          new Use("mira", "set_agent_metadata", "{'metadata':{'ship':'Alma'}}"),
          new Use("lars", "update_memory", "{'label':'mood','content':'calm'}"),
          new Use("lars", "store_memory", "{'content':'High tide.','tags':['sea']}"),
          new Use("lars", "search_memory", "{'query':'tide'}"),
          new Use("lars", "set_memories", "{'memories':[{'key':'ship','value':'Alma'}]}"),
          new Use("lars", "get_memories", "{}"),
          new Use("lars", "delete_memories", "{'keys':['ship']}"),
          new Use("ada", "complete", "{'text':'done'}"),
          new Use("lars", "set_goals", "{'goals':[{'description':'reach the sea'}]}"),
          new Use("lars", "delete_goals", "{'ids':['{goal_id}']}"),
          new Use(
              "lars",
              "set_plans",
              "{'plans':[{'name':'tide','instruction':'look','cron':'0 9 * * *'}]}"),
          new Use("lars", "get_plans", "{}"),
          new Use("lars", "delete_plans", "{'ids':['{plan_id}']}"),
          new Use("mira", "read_messages", "{'spaceId':'deck'}"),
          new Use("mira", "enter_space", "{'spaceId':'deck'}"),
          new Use("mira", "list_spaces", "{}"),
          new Use("mira", "leave_space", "{}"),
          new Use("cleo", "react_to_message", "{'messageId':'{deck_message}','emoji':'⚓'}"),
          new Use("cleo", "do_nothing", "{}"),
          new Use("rosa", "list_files", "{}"),
          new Use("rosa", "write_file", "{'path':'log/tide.md','text':'High tide.'}"),
          new Use("rosa", "read_file", "{'path':'log/tide.md'}"),
          new Use("rosa", "edit_file", "{'path':'log/tide.md','old':'High','new':'Low'}"),
          new Use("rosa", "search_files", "{'text':'tide'}"),
          new Use("rosa", "run_command", "{'command':'echo aye > said'}"),
          new Use("mira", "terminate_agent", "{'name':'ben'}"));

  /// Those that work on this machine: commands need a sandbox.
  static List<Use> here() {
    boolean hasWalls = Sandbox.onPath(System.getenv("PATH")).works();
    if (Prerequisite.isCi()) {
      Prerequisite.require(hasWalls, "commands need a sandbox");
    }
    return ALL.stream().filter(use -> hasWalls || !use.tool().equals("run_command")).toList();
  }
}
