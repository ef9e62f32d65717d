// An OpenTelemetry collector for a test: takes OTLP JSON over HTTP and keeps the spans.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status: { readonly code?: number }
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: CollectedSpan['attributes'] }
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[]
  }[]
}

export interface TraceCollector extends AsyncDisposable {
  readonly url: string
  /** Bodies as they came. */
  readonly bodies: readonly string[]
  readonly authorizations: readonly (string | undefined)[]
  readonly paths: readonly (string | undefined)[]
  spans(): CollectedSpan[]
  resources(): CollectedSpan['attributes'][]
  /** Status of the next answers. */
  answer(status: number): void
}

export async function traceCollector(): Promise<TraceCollector> {
  const bodies: string[] = []
  const authorizations: (string | undefined)[] = []
  const paths: (string | undefined)[] = []
  let status = 200
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      paths.push(req.url)
      authorizations.push(req.headers.authorization)
      if (status === 200) bodies.push(Buffer.concat(chunks).toString())
      res.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sent = () => bodies.flatMap((body) => (JSON.parse(body) as Sent).resourceSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    authorizations,
    paths,
    spans: () => sent().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resources: () => sent().map(({ resource }) => resource.attributes),
    answer(next) {
      status = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
