// Which addresses settings may hold.

/** Whether a name and a password in it can be read: clients decode them, and a `%` of its own is written as `%25`. */
function isReadable(text: string): boolean {
  try {
    const { username, password } = new URL(text)
    return decodeURIComponent(username + password) !== null
  } catch {
    return false
  }
}

export const isBase = (text: string): boolean => text === '' || (/^https?:\/\//.test(text) && isReadable(text))

export const isPostgres = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)
export const isDatabase = (text: string): boolean => text === 'pglite' || isPostgres(text)

export const isRedis = (text: string): boolean => /^rediss?:\/\//.test(text) && isReadable(text)
