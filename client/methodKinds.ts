// What the client knows of methods by their names: it has no list of them.

/** Methods that steer the embedded chain, and so change something each time they run. */
export const isControl = (method: string): boolean => /^(dev\.|acton_(?!get))/.test(method)

/** Calls that send a message or steer the chain: what was read before them may be old. */
export const isChange = (method: string): boolean => isControl(method) || /^send|^v3\.(message$|send)/.test(method)

/** Calls that wait for blocks: others of the same tick would wait with them. */
export const isSlow = (method: string): boolean => isControl(method) || method.endsWith('AndWait')
