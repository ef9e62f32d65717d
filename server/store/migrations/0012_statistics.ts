// Transactions and fees by minute, hour and day, counted as blocks are written: to add them up for a chart would read all
// transactions of a year.

export const statistics = `
create table statistics (
  span int4 not null,
  start int8 not null,
  transactions int8 not null,
  system_transactions int8 not null,
  fees numeric not null,
  primary key (span, start)
);
insert into statistics (span, start, transactions, system_transactions, fees)
  select span, now - now % span, count(*), count(*) filter (where is_system), sum(total_fees)
  from transactions cross join unnest(array[60, 3600, 86400]) as spans (span) group by 1, 2;
`
