// A page whose replies of some methods are made up: what the service wrote into the document, and what the page requests.

import type { Page } from 'playwright-core'
import type { Api } from '../../shared/registry.ts'

type Make<M extends keyof Api> = (params: Api[M]['params'], real: Api[M]['result']) => Api[M]['result']

/** The same of one method. */
export const mockReplies = <M extends keyof Api>(
  page: Page,
  documents: RegExp,
  method: M,
  make: Make<M>,
): Promise<void> => mockMethods(page, documents, { [method]: make })

/** `documents` matches the addresses of the pages; a method with null fails. Other calls of the same request go to the service. */
export async function mockMethods(
  page: Page,
  documents: RegExp,
  makers: { readonly [M in keyof Api]?: Make<M> | null },
): Promise<void> {
  const byName = new Map<string, unknown>(Object.entries(makers))
  await page.route(documents, async (route) => {
    const reply = await route.fetch()
    const body = (await reply.text()).replace(
      /(<script type="application\/json" id="boot">)(.*?)(<\/script>)/s,
      (_, before, text, after) => {
        const boot = JSON.parse(text)
        for (const key of Object.keys(boot.replies)) if (byName.has(key.split(' ', 1).join())) delete boot.replies[key]
        return `${before}${JSON.stringify(boot).replaceAll('<', '\\u003c')}${after}`
      },
    )
    await route.fulfill({ response: reply, body })
  })
  await page.route(/\/jsonRPC$/, async (route) => {
    const requested = route.request().postDataJSON()
    const reply = await route.fetch()
    const replies = await reply.json()
    for (const [at, call] of [requested].flat().entries()) {
      const own = [replies].flat()[at]
      const make = byName.get(call.method)
      if (make === null) {
        own.error = { code: -32603, message: 'Internal error' }
        delete own.result
      }
      if (typeof make !== 'function') continue
      own.result = make(call.params, own.result)
      // The service may know nothing of a made-up cursor.
      delete own.error
    }
    await route.fulfill({ response: reply, status: 200, json: replies })
  })
}
