// One figure of a service, as its metrics say it.

/** The value of a gauge or counter without labels; NaN for one that is not there. */
export async function gaugeOf({ url }: { readonly url: string }, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (-?[\\d.]+)`, 'm').exec(metrics)?.[1])
}
