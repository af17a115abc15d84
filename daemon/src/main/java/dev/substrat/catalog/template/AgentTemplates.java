package dev.substrat.catalog.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import dev.substrat.protocol.SpellingSuggestion;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Store of agent templates, built-in and saved.
public final class AgentTemplates {
  private static final List<String> IDS =
      List.of("release-manager", "researcher", "reviewer", "support-triage", "team-lead", "writer");
  private static final int MAX_COUNT = 500;

  private static final int MAX_NAME_LENGTH = 80;

  private static final String SELECT = "select id, name, config, created_at from agent_template";

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public AgentTemplates(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// Built-in templates first, then saved ones, each by id.
  public List<AgentTemplate> list() {
    List<AgentTemplate> kept =
        database.read(tx -> tx.list(SELECT + " order by id", AgentTemplate::of));
    return Stream.concat(builtIn().stream(), kept.stream()).toList();
  }

  /// The configuration completed with the values of its template.
  public AgentConfig fill(AgentConfig wanted) {
    if (wanted.template() == null) {
      return wanted;
    }
    ObjectNode whole = require(wanted.template()).config().deepCopy();
    whole.setAll((ObjectNode) Json.tree(wanted));
    whole.remove("template");
    return Json.as(whole, AgentConfig.class);
  }

  private AgentTemplate require(String id) {
    return builtIn(id).or(() -> database.read(tx -> find(tx, id))).orElseThrow(() -> unknown(id));
  }

  private static Optional<AgentTemplate> builtIn(String id) {
    return builtIn().stream().filter(one -> one.id().equals(id)).findFirst();
  }

  private static Optional<AgentTemplate> find(Tx tx, String id) {
    return tx.find(SELECT + " where id = ?", AgentTemplate::of, id);
  }

  private Fault unknown(String id) {
    List<String> near =
        SpellingSuggestion.near(id, list().stream().map(AgentTemplate::id).toList());
    return ErrorCode.NOT_FOUND.fault(
        "template not found: " + id,
        (near.isEmpty() ? "" : "did you mean %s? ".formatted(String.join(" or ", near)))
            + "list templates (GET /api/templates, ./substrat agent templates)");
  }

  /// Saves an agent's configuration as a template, under this name or the agent's.
  public AgentTemplate save(String agent, @Nullable String wantedName) {
    return database.transact(tx -> {
      Agent pattern = AgentTree.require(tx, agent);
      String name = wantedName == null ? pattern.name() : wantedName.strip();
      String id = id(name);
      if (builtIn(id).isPresent() || !insert(tx, id, name, pattern)) {
        throw ErrorCode.NAME_TAKEN.fault(
            "template already exists: " + id,
            "choose another name, or delete the existing template");
      }
      events.append(
          tx,
          NewEvent.of("template_saved")
              .about(pattern.id().value())
              .with("agent", pattern.handle())
              .with("template", id));
      return find(tx, id).orElseThrow();
    });
  }

  private static String id(String name) {
    String id = Handle.slug(name);
    if (id.isEmpty() || name.length() > MAX_NAME_LENGTH || name.chars().anyMatch(c -> c < ' ')) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/name must be one line of 1 to %d characters, including a letter or digit"
              .formatted(MAX_NAME_LENGTH),
          "the template's id is derived from it");
    }
    return id;
  }

  private boolean insert(Tx tx, String id, String name, Agent pattern) {
    if (tx.number("select count(*) as n from agent_template") >= MAX_COUNT) {
      throw ErrorCode.LIMIT_REACHED.fault(
          "the maximum of %d templates is reached".formatted(MAX_COUNT),
          "delete unused templates (DELETE /api/templates/{id})");
    }
    var config = (ObjectNode) Json.tree(pattern.config());
    config.remove(List.of("name", "handle", "parent"));
    return tx.update(
            """
            insert into agent_template (id, name, config, created_at) values (?, ?, ?, ?)
            on conflict do nothing
            """,
            id,
            name,
            Json.text(config),
            clock.instant())
        == 1;
  }

  /// Agents created from it stay unchanged.
  public void delete(String id) {
    if (builtIn(id).isPresent()) {
      throw ErrorCode.FORBIDDEN.fault(
          "template %s is built in and cannot be deleted".formatted(id),
          "only saved templates can be deleted");
    }
    boolean wasThere =
        database.transact(tx -> {
          int deleted = tx.update("delete from agent_template where id = ?", id);
          if (deleted == 1) {
            events.append(tx, NewEvent.of("template_deleted").with("template", id));
          }
          return deleted == 1;
        });
    if (!wasThere) {
      throw unknown(id);
    }
  }

  /// The built-in templates, read on first use.
  private static List<AgentTemplate> builtIn() {
    return Read.ALL;
  }

  private static final class Read {
    static final List<AgentTemplate> ALL = IDS.stream().map(AgentTemplates::read).toList();
  }

  private static AgentTemplate read(String id) {
    var config = (ObjectNode) Yaml.own(text(id));
    String name = config.remove("title").asText();
    return new AgentTemplate(id, name, config.path("description").asText(), true, config, null);
  }

  private static String text(String id) {
    try (var stream = AgentTemplates.class.getResourceAsStream("/templates/" + id + ".yaml")) {
      if (stream == null) {
        throw new IllegalStateException("the template " + id + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
