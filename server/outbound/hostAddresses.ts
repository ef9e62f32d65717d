// Addresses of a host that a stranger named: resolved once, checked, and connected to exactly as checked.

import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { HostError, isFromOutside } from './hostError.ts'
import { isPublicAddress } from './publicAddress.ts'

export interface HostAddress {
  readonly address: string
  readonly family: number
}

export interface HostRules {
  /** Addresses of a name; by default from the name servers of this machine. */
  readonly resolve?: (name: string, signal: AbortSignal) => Promise<readonly HostAddress[]>
  readonly isAllowed?: (address: string) => boolean
  /** A name without a dot is one of this machine or its own network: refused by default. */
  readonly plainNames?: boolean
}

/** An aborted query is cancelled: with getaddrinfo, slow names would pile up behind the few threads that wait for them. */
async function resolveHere(name: string, signal: AbortSignal): Promise<readonly HostAddress[]> {
  const resolver = new Resolver()
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
    const of = (family: number, found: typeof four): HostAddress[] =>
      found.status === 'rejected' ? [] : found.value.map((address) => ({ address, family }))
    return [...of(4, four), ...of(6, six)]
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Rejects when the signal aborts, even while the work still waits. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function resolved(query: Promise<readonly HostAddress[]>): Promise<readonly HostAddress[]> {
  try {
    return await query
  } catch (cause) {
    throw isFromOutside(cause) ? new HostError('failed', 'the host is not known', { cause }) : cause
  }
}

/** Where to connect to for a host: all its addresses are allowed. Throws HostError, or the signal's reason. */
export async function addressesOf(
  hostname: string,
  rules: HostRules,
  signal: AbortSignal,
): Promise<readonly HostAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const { resolve = resolveHere, isAllowed = isPublicAddress, plainNames = false } = rules
  const family = isIP(host)
  if (family === 0 && !host.includes('.') && !plainNames) throw new HostError('refused', 'the host is not a public one')
  const addresses =
    family === 0 ? await untilAborted(resolved(resolve(host, signal)), signal) : [{ address: host, family }]
  if (addresses.length === 0) throw new HostError('failed', 'the host has no address')
  if (!addresses.every(({ address }) => isAllowed(address)))
    throw new HostError('refused', 'the host is not a public one')
  return addresses
}

/** A lookup that returns only the addresses that were checked. */
export const pinned = (addresses: readonly HostAddress[]): LookupFunction => {
  const [first] = addresses
  return (_host, options, done) => {
    if (options.all === true) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
}
