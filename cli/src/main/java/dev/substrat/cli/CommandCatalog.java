package dev.substrat.cli;

import dev.substrat.cli.access.PersonCommands;
import dev.substrat.cli.access.TokenCommands;
import dev.substrat.cli.agent.AgentCommands;
import dev.substrat.cli.connect.ConnectCommand;
import dev.substrat.cli.doctor.DoctorCommand;
import dev.substrat.cli.mcpserver.ServerCommands;
import dev.substrat.cli.memory.MemoryCommands;
import dev.substrat.cli.message.InboxCommand;
import dev.substrat.cli.message.MessageCommands;
import dev.substrat.cli.message.SendCommand;
import dev.substrat.cli.pending.PendingCommands;
import dev.substrat.cli.run.RunCommands;
import dev.substrat.cli.schedule.GoalCommands;
import dev.substrat.cli.schedule.PlanCommands;
import dev.substrat.cli.space.SpaceCommands;
import dev.substrat.cli.team.ApplyCommand;
import dev.substrat.cli.team.ExportCommand;
import dev.substrat.cli.terminal.CommandGroup;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.tool.ToolCommands;
import dev.substrat.cli.watch.WatchCommand;
import dev.substrat.cli.workspace.WorkspaceCommands;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;

/// All commands, in the order in which help lists them.
///
/// Reading a command class by reflection costs milliseconds, so only the called command is
/// registered. Help, completion and spelling suggestions register all of them.
final class CommandCatalog {
  private static final Map<String, CatalogEntry> ENTRIES = new LinkedHashMap<>();

  static {
    add("daemon", "up", ScriptCommands.UpCommand::new);
    add("daemon", "demo", ScriptCommands.DemoCommand::new);
    add("daemon", "status", StatusCommand::new);
    add("daemon", "doctor", DoctorCommand::new);
    add("daemon", "console", ConsoleCommand::new);
    add("daemon", "stop", StopCommand::new);
    add("team", "agent", AgentCommands::new);
    add("team", "apply", ApplyCommand::new);
    add("team", "export", ExportCommand::new);
    add("team", "send", SendCommand::new);
    add("team", "message", MessageCommands::new);
    add("team", "inbox", InboxCommand::new);
    add("team", "space", SpaceCommands::new);
    add("team", "goal", GoalCommands::new);
    add("team", "plan", PlanCommands::new);
    add("team", "pending", PendingCommands::new);
    add("team", "tool", ToolCommands::new);
    add("team", "server", ServerCommands::new);
    add("team", "workspace", WorkspaceCommands::new);
    add("team", "run", RunCommands::new);
    add("team", "memory", MemoryCommands::new);
    add("team", "watch", WatchCommand::new);
    add("access", "connect", ConnectCommand::new);
    add("access", "mcp", ScriptCommands.McpCommand::new);
    add("access", "person", PersonCommands::new);
    add("access", "token", TokenCommands::new);
    add("access", "completion", CompletionCommand::new);
  }

  private record CatalogEntry(String group, Function<RootCommand, Object> command) {}

  private CommandCatalog() {}

  private static void add(String group, String name, Function<RootCommand, Object> command) {
    ENTRIES.put(name, new CatalogEntry(group, command));
  }

  static void register(CommandLine line, RootCommand shell, String[] args) {
    called(args)
        .ifPresentOrElse(name -> register(line, shell, name), () -> registerAll(line, shell));
  }

  static void registerAll(CommandLine line, RootCommand shell) {
    ENTRIES.keySet().forEach(name -> register(line, shell, name));
  }

  private static void register(CommandLine line, RootCommand shell, String name) {
    CatalogEntry entry = ENTRIES.get(name);
    if (entry != null) {
      Object command = entry.command().apply(shell);
      var branch = new CommandLine(command);
      if (command instanceof CommandGroup branching) {
        branching.branches().forEach(branch::addSubcommand);
      }
      line.addSubcommand(name, branch);
    }
  }

  /// The first argument after the global options, if it names a command.
  private static Optional<String> called(String[] args) {
    return Stream.of(args)
        .skip(ArgumentAliases.commandIndex(args))
        .findFirst()
        .filter(CommandCatalog::has);
  }

  static boolean has(String name) {
    return ENTRIES.containsKey(name);
  }

  static List<String> groups() {
    return ENTRIES.values().stream().map(CatalogEntry::group).distinct().toList();
  }

  static List<String> names(String group) {
    return ENTRIES.entrySet().stream()
        .filter(entry -> entry.getValue().group().equals(group))
        .map(Map.Entry::getKey)
        .toList();
  }
}
