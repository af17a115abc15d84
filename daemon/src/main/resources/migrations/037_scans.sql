-- Held messages are few among many.
create index space_message_held on space_message (id) where held_reason is not null;

-- Whether an agent has a passage with a certain content. A content may be too long for an index.
create index memory_content on memory (agent_id, length(content), substr(content, 1, 40)) where kind = 'passage';
