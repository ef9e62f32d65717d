/** What `begin` makes for a key; callers that request it while it is being made share it. */
export async function oneFlight<K, V>(running: Map<K, Promise<V>>, key: K, begin: () => Promise<V>): Promise<V> {
  const known = running.get(key)
  if (known !== undefined) return await known
  const flight = begin()
  running.set(key, flight)
  try {
    return await flight
  } finally {
    if (running.get(key) === flight) running.delete(key)
  }
}
