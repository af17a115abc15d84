package dev.substrat.cli.configedit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LineDiffTest {

  @Test
  void equal_texts_have_no_difference() {
    assertThat(LineDiff.between("a\nb\n", "a\nb\n")).isEmpty();
  }

  @Test
  void a_change_is_shown_with_three_lines_around_it() {
    assertThat(LineDiff.between("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"))
        .containsExactly("@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8");
  }

  @Test
  void a_new_file_starts_at_line_zero() {
    assertThat(LineDiff.between("", "a\n")).containsExactly("@@ -0,0 +1,1 @@", "+a");
  }

  @Test
  void a_missing_end_of_line_is_a_difference() {
    assertThat(LineDiff.between("a", "a\n"))
        .containsExactly("@@ -1,1 +1,1 @@", "-a", "\\ No newline at end of file", "+a");
  }

  @Test
  void distant_changes_are_separate_hunks() {
    String between = "x\n".repeat(9);
    assertThat(LineDiff.between("a\n" + between + "b\n", between))
        .containsExactly(
            "@@ -1,4 +1,3 @@", "-a", " x", " x", " x", "@@ -8,4 +7,3 @@", " x", " x", " x", "-b");
  }
}
