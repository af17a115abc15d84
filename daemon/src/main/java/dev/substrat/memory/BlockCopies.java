package dev.substrat.memory;

import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.time.Instant;
import java.util.List;

/// Puts what stands before one agent before another, too. Its own blocks are copied and go their
/// own way from then on; shared ones are the same block for both.
public final class BlockCopies {
  private BlockCopies() {}

  /// How many there were.
  public static int copy(Tx tx, Agent from, Agent to, Instant now) {
    List<Block> blocks = Block.all(tx, from.id());
    for (Block block : blocks) {
      String id = block.shared() ? block.id() : made(tx, block, from, to, now);
      Placing.put(tx, to.id(), new Placing.Place(id, block.label(), block.mayWrite()), 0);
    }
    return blocks.size();
  }

  private static String made(Tx tx, Block block, Agent from, Agent to, Instant now) {
    var wish =
        new Placing.Wish(block.content(), block.description(), block.limit(), block.readOnly());
    Writer writer = Writer.operator("cloned from " + from.handle());
    return Placing.make(tx, to.id(), block.label(), wish, writer, now);
  }
}
