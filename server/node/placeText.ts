/** A host with a port, as a URL has it: an IPv6 address in brackets. */
export const placeText = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
