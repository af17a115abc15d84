package dev.substrat.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Values: short texts under keys.
@OnEveryDatabase
final class MemoryValuesTest {
  private final MemoryTeam team;

  MemoryValuesTest(TestDatabase kind) {
    this.team = new MemoryTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S3-28", "C10"})
  void several_values_are_set_and_overwritten_in_one_call() {
    set("{'key':'ship','value':'Alma'},{'key':'berth','value':'4'}");
    JsonNode kept = set("{'key':'berth','value':'5'},{'key':'crew','value':'9'}");

    assertThat(kept)
        .isEqualTo(json("{'memories':[{'key':'berth','value':'5'},{'key':'crew','value':'9'}]}"));
    assertThat(team.call("ada", "get_memories", "{}"))
        .isEqualTo(
            json(
                "{'memories':[{'key':'berth','value':'5'},{'key':'crew','value':'9'},"
                    + "{'key':'ship','value':'Alma'}]}"));
    assertThat(team.call("ada", "get_memories", "{'keys':['ship','none']}"))
        .isEqualTo(json("{'memories':[{'key':'ship','value':'Alma'}]}"));
    assertThat(team.told("values_set").getLast().path("keys").toString())
        .isEqualTo("[\"berth\",\"crew\"]");
  }

  @Test
  @Requirement("S3-29")
  void a_deleted_value_is_gone_and_can_be_set_again() {
    set("{'key':'ship','value':'Alma'},{'key':'berth','value':'4'}");

    assertThat(team.call("ada", "delete_memories", "{'keys':['ship']}"))
        .isEqualTo(json("{'deleted':['ship']}"));

    assertThat(team.call("ada", "get_memories", "{}"))
        .isEqualTo(json("{'memories':[{'key':'berth','value':'4'}]}"));
    set("{'key':'ship','value':'Bora'}");
    assertThat(team.call("ada", "get_memories", "{'keys':['ship']}").toString()).contains("Bora");
  }

  @Test
  @Requirement({"S3-28", "S3-29"})
  void all_values_of_a_call_are_stored_or_none() {
    set("{'key':'ship','value':'Alma'}");

    assertThat(
            team.refusal(
                "ada",
                "set_memories",
                "{'memories':[{'key':'ship','value':'Bora'},{'key':'','value':'x'}]}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.refusal("ada", "delete_memories", "{'keys':['ship','none']}"))
        .isEqualTo("NOT_FOUND");

    assertThat(team.call("ada", "get_memories", "{}").toString()).contains("Alma");
  }

  @Test
  void the_number_of_values_is_limited() {
    for (int call = 0; call < MemoryLimits.VALUES / MemoryLimits.VALUES_AT_ONCE; call++) {
      int first = call * MemoryLimits.VALUES_AT_ONCE;
      set(
          IntStream.range(first, first + MemoryLimits.VALUES_AT_ONCE)
              .mapToObj("{'key':'k%d','value':'x'}"::formatted)
              .collect(Collectors.joining(",")));
    }

    assertThat(team.refusal("ada", "set_memories", "{'memories':[{'key':'one','value':'x'}]}"))
        .isEqualTo("LIMIT_REACHED");
    assertThat(team.refusal("ada", "set_memories", "{'memories':[{'key':'k0','value':'y'}]}"))
        .isEmpty();
    assertThat(team.memory.values().all("ada")).hasSize(MemoryLimits.VALUES);
  }

  @Test
  @Requirement("A12")
  void retried_calls_are_executed_once_and_return_the_same() {
    String alma = "{'memories':[{'key':'ship','value':'Alma'}]}";
    JsonNode set = team.call("ada", "set_memories", alma, "key-1");
    JsonNode deleted = team.call("ada", "delete_memories", "{'keys':['ship']}", "key-2");

    assertThat(team.call("ada", "set_memories", alma, "key-1")).isEqualTo(set);
    assertThat(team.call("ada", "delete_memories", "{'keys':['ship']}", "key-2"))
        .isEqualTo(deleted);

    assertThat(team.memory.values().all("ada")).isEmpty();
    assertThat(team.told("values_set")).hasSize(1);
    assertThat(team.told("values_deleted")).hasSize(1);
  }

  private JsonNode set(String facts) {
    return team.call("ada", "set_memories", "{'memories':[" + facts + "]}");
  }

  private static JsonNode json(String text) {
    return Json.own(text.replace('\'', '"'));
  }
}
