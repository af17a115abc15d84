-- A passage of more than one part gets a vector for each part; before, it had one for all of them.
insert into passage_waiting (memory_id, claimed_until)
select passage_vector.memory_id, 0
from passage_vector join memory on memory.id = passage_vector.memory_id
where passage_vector.vector is not null and length(memory.content) > 150
on conflict do nothing;
