// The address of a PostgreSQL, which may have a password in it and is never shown whole.

/** Whether this is one, as far as can be seen. */
export const isAddress = (text: string): boolean => /^postgres(ql)?:\/\/\S+$/.test(text) && URL.canParse(text)

/** Where that is, for a person: host, port and database, without user, password and parameters. */
export function showAddress(address: string): string {
  if (!isAddress(address)) return 'a database'
  const { host, pathname } = new URL(address)
  return `${host || 'localhost'}${pathname}`
}
