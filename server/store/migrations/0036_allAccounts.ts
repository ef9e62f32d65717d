// Which keys may subscribe to all accounts at once.

export const allAccounts = 'alter table api_keys add column if not exists all_accounts bool not null default false;'
