package dev.substrat.access.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.CredentialId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Agents;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@OnEveryDatabase
@Requirement("N7")
final class CredentialsTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Principal OPERATOR = new Principal.OperatorPrincipal();

  private final TestDatabase place;
  private final Database database;
  private final EventLog events;
  private final Agents agents;
  private final Credentials credentials;
  private Instant now = NOON;

  CredentialsTest(TestDatabase place) {
    this.place = place;
    this.database = place.open();
    this.events = new EventLog(database, () -> now);
    this.agents = new Agents(database, events, () -> now, (_, _) -> {});
    this.credentials = new Credentials(database, events, () -> now);
  }

  @AfterEach
  void close() {
    events.close();
    database.close();
  }

  @Test
  void a_token_authenticates_the_principal_it_was_created_for() {
    Agent ada = create("ada");

    assertThat(credentials.authenticate(mint(OPERATOR)).map(CallerPermissions::principal))
        .contains(OPERATOR);
    assertThat(credentials.authenticate(mint(of(ada))).map(CallerPermissions::principal))
        .contains(of(ada));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9, 30, 46, 60, -1})
  void a_token_with_one_changed_character_is_rejected(int index) {
    String right = mint(OPERATOR);
    int at = index < 0 ? right.length() - 2 : index;
    char other = right.charAt(at) == 'x' ? 'y' : 'x';
    String wrong = right.substring(0, at) + other + right.substring(at + 1);

    assertThat(credentials.authenticate(wrong)).isEmpty();
    assertThat(credentials.authenticate(right)).isPresent();
  }

  @Test
  void incomplete_tokens_are_rejected() {
    Token one = credentials.mint(OPERATOR, "one");
    Token two = credentials.mint(OPERATOR, "two");

    assertThat(credentials.authenticate("substrat_" + one.id() + "_" + two.secret())).isEmpty();
    assertThat(credentials.authenticate("substrat_" + one.id() + "_" + one.hash())).isEmpty();
    assertThat(credentials.authenticate("substrat_" + one.id() + "_")).isEmpty();
    assertThat(credentials.authenticate(one.text() + "x")).isEmpty();
    assertThat(credentials.authenticate(one.text().substring(1))).isEmpty();
    assertThat(credentials.authenticate("")).isEmpty();
  }

  @Test
  void each_token_of_a_zoo_client_has_its_own_rate_limit_account() {
    var zoo = new Principal.ZooPrincipal();
    String one = account(credentials.mint(zoo, ""));
    String two = account(credentials.mint(zoo, ""));

    assertThat(one).isNotEqualTo(two).startsWith(zoo.key());
    assertThat(account(credentials.mint(OPERATOR, ""))).isEqualTo(OPERATOR.key());
  }

  private String account(Token token) {
    return credentials.authenticate(token.text()).orElseThrow().account();
  }

  @Test
  void a_revoked_token_is_rejected_immediately() {
    Token token = credentials.mint(OPERATOR, "");
    assertThat(credentials.authenticate(token.text())).isPresent();

    credentials.revoke(token.id());

    assertThat(credentials.authenticate(token.text())).isEmpty();
  }

  @Test
  void revoking_twice_keeps_the_first_time() {
    Token token = credentials.mint(OPERATOR, "");
    credentials.revoke(token.id());
    now = NOON.plusSeconds(60);
    credentials.revoke(token.id());

    assertThat(credentials.list("", 200))
        .filteredOn(known -> known.id().equals(token.id()))
        .extracting(Credential::revokedAt)
        .containsExactly(NOON);
  }

  @Test
  void an_unknown_token_cannot_be_revoked() {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> credentials.revoke(CredentialId.random()))
        .satisfies(fault -> assertThat(fault.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void another_daemon_sees_a_revocation_at_once() {
    Token token = credentials.mint(OPERATOR, "");
    credentials.revoke(token.id());

    try (var other = place.open()) {
      assertThat(new Credentials(other, events, () -> now).authenticate(token.text())).isEmpty();
    }
  }

  @Test
  void an_expired_token_is_rejected() {
    Token token = credentials.mint(OPERATOR, "");
    database.transact(tx ->
        tx.update(
            "update credential set expires_at = ? where id = ?",
            NOON.plusSeconds(60),
            token.id().value()));

    assertThat(credentials.authenticate(token.text())).isPresent();
    now = NOON.plusSeconds(60);
    assertThat(credentials.authenticate(token.text())).isEmpty();
  }

  @Test
  void terminating_an_agent_revokes_its_tokens_and_those_below_it() {
    Agent mira = create("mira");
    Agent ada = create("ada", mira.id().value());
    Agent ben = create("ben");
    var lost = List.of(mint(of(mira)), mint(of(mira)), mint(of(ada)));
    String kept = mint(of(ben));

    agents.terminate(mira.id().value());

    assertThat(lost).allSatisfy(token -> assertThat(credentials.authenticate(token)).isEmpty());
    assertThat(credentials.authenticate(kept).map(CallerPermissions::principal)).contains(of(ben));
  }

  /// The request was checked before the termination was committed.
  @Test
  void a_token_created_after_its_agent_was_terminated_is_rejected() {
    Agent ada = create("ada");
    agents.terminate(ada.id().value());

    assertThat(credentials.authenticate(mint(of(ada)))).isEmpty();
  }

  @Test
  void only_the_hash_of_a_token_is_stored() throws Exception {
    Token token = credentials.mint(OPERATOR, "label");
    assertThat(credentials.authenticate(token.text())).isPresent();
    credentials.revoke(token.id());

    String everything = place.url().isPresent() ? rows(place.url().get()) : files();
    assertThat(everything).contains(token.hash(), token.id().value());
    assertThat(everything.contains(token.secret())).as("the secret is nowhere").isFalse();
    assertThat(token.toString()).doesNotContain(token.secret());
  }

  private String files() throws IOException {
    var all = new StringBuilder();
    try (var files = Files.list(place.directory())) {
      for (Path file : files.toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }

  private static String rows(String url) throws SQLException {
    var all = new StringBuilder();
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      var tables = new ArrayList<String>();
      try (var names =
          statement.executeQuery("select tablename from pg_tables where schemaname = 'public'")) {
        while (names.next()) {
          tables.add(names.getString(1));
        }
      }
      for (String table : tables) {
        try (var rows = statement.executeQuery("select t::text from \"" + table + "\" t")) {
          while (rows.next()) {
            all.append(rows.getString(1)).append('\n');
          }
        }
      }
    }
    return all.toString();
  }

  private String mint(Principal principal) {
    return credentials.mint(principal, "").text();
  }

  private static Principal of(Agent agent) {
    return new Principal.AgentPrincipal(agent.id());
  }

  private Agent create(String name, String... parent) {
    return agents.create(
        new AgentConfig(
            name,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            parent.length == 0 ? null : parent[0]));
  }

  @Test
  void a_token_id_that_is_too_long_is_not_looked_up() {
    assertThat(Token.parse("substrat_" + "x".repeat(64) + "_secret")).isPresent();
    assertThat(Token.parse("substrat_" + "x".repeat(65) + "_secret")).isEmpty();
  }
}
