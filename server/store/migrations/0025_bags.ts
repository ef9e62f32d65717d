// Bags of cells in stored texts are bytes of their own, which are three quarters of their base64. Texts of this version are made
// again from the newest on.

export const bags = `
truncate transaction_texts, text_progress;
alter table transaction_texts add column bags bytea not null;
alter table transaction_texts alter column bags set storage external;
`
