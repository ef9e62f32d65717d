// The address of a PostgreSQL, which may have a password in it and is never logged whole.

/** Whether a text has the form of one. */
export const isAddress = (text: string): boolean => /^postgres(ql)?:\/\/\S+$/.test(text) && URL.canParse(text)

/** For logs and errors: host, port and database, without user, password and parameters. */
export function showAddress(address: string): string {
  if (!isAddress(address)) return 'a database'
  const { host, pathname } = new URL(address)
  return `${host || 'localhost'}${pathname}`
}
