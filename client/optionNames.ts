// Options that JavaScript misspells: a key that is not read costs its owner the limits of a caller without one.

const OF_ADDRESS = ['url', 'apiKey', 'headers', 'fetch']
export const OF_CLIENT = [...OF_ADDRESS, 'stream', 'transport', 'batch', 'retry', 'timeoutMs', 'once']
export const OF_STREAM = [...OF_ADDRESS, 'after', 'signal', 'silenceMs', 'onSetback']
export const OF_SOCKET = ['url', 'apiKey', 'WebSocket', 'reconnect']

const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '').replace(/ms$/, '')

/** Throws TypeError for a name that is one of those read but for its case, a `_` or a `Ms`. Others are ignored. */
export function checkNames(options: object, read: readonly string[] = OF_ADDRESS): void {
  for (const [name, value] of Object.entries(options)) {
    const meant = read.find((known) => plain(known) === plain(name)) ?? name
    if (value !== undefined && !Object.hasOwn(options, meant))
      throw new TypeError(`${name} is not an option: write ${meant}`)
  }
}
