-- Under which ids of its own an MCP client made a call, so that its records and ours can be laid side by side.
alter table run_message add column client_meta text;
