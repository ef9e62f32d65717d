// Programs of this machine are not behind a proxy.

const OWN = ['localhost', '127.0.0.1', '[::1]']

/**
 * With NODE_USE_ENV_PROXY Node sends fetches to a proxy, by variables it reads at each: an address of this machine would lead to the
 * machine of the proxy there.
 */
export function reachOwnMachine(env: NodeJS.ProcessEnv): void {
  // Of both Node reads this one first, also when it is empty.
  const name = env.no_proxy === undefined ? 'NO_PROXY' : 'no_proxy'
  const others = env[name]?.trim() ?? ''
  if (others !== '*') env[name] = [...(others === '' ? [] : [others]), ...OWN].join(',')
}
