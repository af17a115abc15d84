-- The branches that agents work on in worktrees of their parents' repositories.
create table worktree (
  agent_id text primary key references agent (id),
  -- Whose repository it is; that agent is told what came of the work.
  parent_id text not null references agent (id),
  -- Where git keeps that repository; what stands in a worktree is not believed.
  repository text not null,
  branch text not null,
  -- The commit the work began with.
  base text not null,
  created_at bigint not null,
  -- Since when the parent is to be told; null if there is nothing to tell.
  due_at bigint,
  -- 1 once the agent has ended and the worktree is gone; the branch stays.
  closed integer not null default 0
);

create index worktree_due on worktree (due_at) where due_at is not null;
