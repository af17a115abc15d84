package dev.substrat.provider.agentcli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.toolset.custom.AnswerForm;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An ACP program without a sandbox asks before it acts: a person decides, and no turn waits.
@OnOneDatabase
@Timeout(300)
@Requirement("S3-42")
final class AcpApprovalTest {
  /// ACP agent as a shell script. In each prompt it lists its tools and requests permission for the
  /// command in a file.
  private static final String PROGRAM =
      """
      #!/bin/bash
      mcp() {
        local rest=${url#http://} body=$1
        local host=${rest%%/*}
        exec 3<>"/dev/tcp/${host%%:*}/${host##*:}"
        printf 'POST /mcp HTTP/1.1\\r\\nHost: %s\\r\\nAuthorization: Bearer %s\\r\\nContent-Type: application/json\\r\\nAccept: application/json, text/event-stream\\r\\nConnection: close\\r\\nContent-Length: %d\\r\\n\\r\\n%s' "$host" "$token" "${#body}" "$body" >&3
        cat <&3 >/dev/null
        exec 3>&-
      }
      reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$1" "$2"; }
      update() { printf '{"jsonrpc":"2.0","method":"session/update","params":{"update":%s}}\\n' "$1"; }
      while IFS= read -r line; do
        [[ $line =~ \\"id\\":([0-9]+) ]] && id=${BASH_REMATCH[1]}
        case $line in
          *'"method":"initialize"'*)
            reply "$id" '{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}' ;;
          *'"method":"session/new"'*|*'"method":"session/load"'*)
            [[ $line =~ \\"url\\":\\"([^\\"]+)\\" ]] && url=${BASH_REMATCH[1]}
            [[ $line =~ Bearer\\ ([^\\"]+)\\" ]] && token=${BASH_REMATCH[1]}
            reply "$id" '{"sessionId":"s1"}' ;;
          *'"method":"session/prompt"'*)
            mcp '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
            command=$(cat "$PWD/command")
            update '{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Run '"$command"'","kind":"execute","rawInput":{"command":"'"$command"'"}}'
            printf '{"jsonrpc":"2.0","id":"p1","method":"session/request_permission","params":{"toolCall":{"toolCallId":"t1"},"options":[{"optionId":"yes","kind":"allow_once"},{"optionId":"no","kind":"reject_once"}]}}\\n'
            IFS= read -r answer
            case $answer in
              *'"optionId":"yes"'*) echo "$command" >> "$PWD/done"; said="I have done it" ;;
              *) said="I may not" ;;
            esac
            update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"'"$said"'"}}'
            afterwards=$(cat "$PWD/afterwards")
            printf '{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"%s"}}\\n%s\\n' "$id" "$(cat "$PWD/stop")" "$afterwards" ;;
        esac
      done
      """;

  @TempDir private Path directory;
  private final TestDatabase place;
  private CliTeam team;

  AcpApprovalTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
  }

  @BeforeEach
  void start() throws IOException {
    Path program = directory.resolve("agent.sh");
    Files.writeString(program, PROGRAM);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Files.writeString(directory.resolve("stop"), "end_turn");
    Files.writeString(directory.resolve("afterwards"), "");
    wants("make clean");
    team = new CliTeam(place, directory);
    team.create(
        """
        name: ada
        workspace: { path: %s, sandbox: 'off' }
        provider: { name: acp, command: [%s] }
        """
            .formatted(Json.text(directory.toString()), Json.text(program.toString())));
  }

  @AfterEach
  void stop() throws IOException {
    team.close();
    place.close();
  }

  @Test
  void a_person_is_asked_and_the_program_does_not_wait() {
    team.ask("ada", "clean up");

    PendingCall call = asked();

    assertThat(turns()).as("the turn is over").hasSize(1);
    assertThat(turns().getFirst().status()).isEqualTo("done");
    assertThat(turns().getFirst().response()).isEqualTo("I may not");
    assertThat(call.status()).isEqualTo(PendingCall.PendingCallStatus.PENDING);
    assertThat(call.expiresAt()).isNotNull();
    AnswerForm form = AnswerForm.of(call);
    assertThat(form.component()).isEqualTo("approval");
    assertThat(form.title()).isEqualTo("Allow ada to do this?");
    assertThat(form.text()).isEqualTo("Run make clean");
    assertThat(call.arguments().at("/details/rawInput/command").asText()).isEqualTo("make clean");
    assertThat(directory.resolve("done")).doesNotExist();
  }

  @Test
  void an_approved_action_is_allowed_once_even_after_a_restart() throws IOException {
    Message question = team.ask("ada", "clean up");
    PendingCall call = asked();
    restart();

    approve(call);

    assertThat(team.answer(question)).isEqualTo("I have done it");
    assertThat(given(turns().getFirst()))
        .contains("\"approved\":true", "Run make clean", "Approved, once, for one day");
    assertThat(Files.readString(directory.resolve("done"))).isEqualTo("make clean\n");
    assertThat(open()).isEmpty();

    team.ask("ada", "once more");
    PendingCall again = asked();
    assertThat(again.id()).as("another yes is needed").isNotEqualTo(call.id());
    assertThat(Files.readString(directory.resolve("done"))).isEqualTo("make clean\n");
  }

  @Test
  void an_approval_covers_one_action_only() throws IOException {
    team.ask("ada", "clean up");
    PendingCall call = asked();
    wants("make clean install");

    approve(call);

    assertThat(asked().arguments().path("action").asText()).isEqualTo("Run make clean install");
    assertThat(directory.resolve("done")).doesNotExist();
  }

  @Test
  void a_rejection_is_reported_and_allows_nothing() throws IOException {
    team.ask("ada", "clean up");
    PendingCall call = asked();
    Files.writeString(directory.resolve("stop"), "refusal");

    team.engine()
        .customTools()
        .answers()
        .decline(call.id(), "not today", new Principal.OperatorPrincipal());

    team.await(() -> turns().size() == 2 && turns().getFirst().endedAt() != null);
    assertThat(given(turns().getFirst())).contains("not today", "Rejected. Do not request");
    assertThat(turns().getFirst().status())
        .as("a program that takes a no for the end has not failed")
        .isEqualTo("done");
    assertThat(directory.resolve("done")).doesNotExist();
  }

  @Test
  void people_are_asked_once_however_often_the_program_asks() {
    team.ask("ada", "clean up");
    PendingCall call = asked();

    team.ask("ada", "well?");
    team.await(() -> turns().size() == 2 && turns().getFirst().endedAt() != null);

    assertThat(open()).extracting(PendingCall::id).containsExactly(call.id());
  }

  @Test
  void output_between_two_turns_is_not_part_of_the_next_turn() throws IOException {
    Files.writeString(
        directory.resolve("afterwards"),
        """
        {"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"I was not asked. "}}}}
        """);
    team.ask("ada", "clean up");
    approve(asked());

    team.await(() -> turns().size() == 2 && turns().getFirst().endedAt() != null);
    assertThat(turns().getFirst().response()).isEqualTo("I have done it");
  }

  private void wants(String command) throws IOException {
    Files.writeString(directory.resolve("command"), command);
  }

  private void restart() {
    team.close();
    team = new CliTeam(place, directory);
  }

  /// Approves the request like a person who finds it in the list.
  private void approve(PendingCall call) throws IOException {
    try (var operator = team.operator()) {
      var listed = operator.get("/api/pending").body().path("pending");
      assertThat(listed.findValuesAsText("callId")).containsExactly(call.id());
      assertThat(listed.at("/0/form/component").asText()).isEqualTo("approval");
      var answer =
          operator.post(
              "/api/pending/" + call.id() + "/answer", "{\"result\": {\"approved\": true}}");
      assertThat(answer.status()).isEqualTo(200);
    }
  }

  /// The one thing that people are asked, once the turn that asked is over.
  private PendingCall asked() {
    team.await(() -> !open().isEmpty() && turns().stream().allMatch(run -> run.endedAt() != null));
    assertThat(open()).hasSize(1);
    return open().getFirst();
  }

  private List<PendingCall> open() {
    var filter = new PendingCalls.PendingCallFilter(null, true);
    return team.engine()
        .dependencies()
        .database()
        .read(tx -> PendingCalls.list(tx, new Principal.OperatorPrincipal(), filter, "", 10));
  }

  private List<Run> turns() {
    return team.engine().runs().newest(null, 10);
  }

  private String given(Run run) {
    return team.engine().runs().given(new RunId(run.id())).stream()
        .map(RunInputEvents.RecordedEvent::event)
        .filter(event -> event.kind() == InboxEvent.InboxEventKind.TOOL_RESULT)
        .map(event -> event.payload().path("text").asText())
        .findFirst()
        .orElseThrow();
  }
}
