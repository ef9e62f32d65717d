/** A request to a wallet that came inside a message: what it caused points at it. */
export const GASLESS_REQUEST = 'gasless_request'
