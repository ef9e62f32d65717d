/** What `begin` makes for a key: who asks for it while it is being made shares it. */
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
