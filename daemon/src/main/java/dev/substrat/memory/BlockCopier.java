package dev.substrat.memory;

import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.time.Instant;
import java.util.List;

/// Copies the memory blocks of one agent to another. Own blocks are copied and independent from
/// then on; shared blocks are attached to both.
public final class BlockCopier {
  private BlockCopier() {}

  /// Number of copied blocks.
  public static int copy(Tx tx, Agent from, Agent to, Instant now) {
    List<MemoryBlock> blocks = MemoryBlock.all(tx, from.id());
    for (MemoryBlock block : blocks) {
      String id = block.shared() ? block.id() : copyOf(tx, block, from, to, now);
      BlockAttachments.put(
          tx,
          to.id(),
          new BlockAttachments.BlockAttachment(id, block.label(), block.mayWrite()),
          0);
    }
    return blocks.size();
  }

  private static String copyOf(Tx tx, MemoryBlock block, Agent from, Agent to, Instant now) {
    var request =
        new BlockAttachments.AttachRequest(
            block.content(), block.description(), block.limit(), block.readOnly());
    MemoryAuthor writer = MemoryAuthor.operator("cloned from " + from.handle());
    return BlockAttachments.create(tx, to.id(), block.label(), request, writer, now);
  }
}
