// The address of a PostgreSQL, which may have a password in it and is never logged whole.

/** A function is called before each connection, and may return another user or password of the same database. */
export type DatabaseAddress = string | (() => string)

export const databaseAddressText = (address: DatabaseAddress): string =>
  typeof address === 'string' ? address : address()

/** Whether a text has the form of one. */
export const isAddress = (text: string): boolean => /^postgres(ql)?:\/\/\S+$/.test(text) && URL.canParse(text)

/** For logs and errors: host, port and database, without user, password and parameters. */
export function showAddress(address: DatabaseAddress): string {
  const text = databaseAddressText(address)
  if (!isAddress(text)) return 'a database'
  const { host, pathname } = new URL(text)
  return `${host || 'localhost'}${pathname}`
}
