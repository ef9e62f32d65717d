// A page whose replies of one method are made up: what the service wrote into the document, and what the page requests.

import type { Page } from 'playwright-core'
import type { Api } from '../../shared/registry.ts'

/** `documents` matches the addresses of the pages. Other calls of the same request go to the service. */
export async function mockReplies<M extends keyof Api>(
  page: Page,
  documents: RegExp,
  method: M,
  make: (params: Api[M]['params'], real: Api[M]['result']) => Api[M]['result'],
): Promise<void> {
  await page.route(documents, async (route) => {
    const reply = await route.fetch()
    const body = (await reply.text()).replace(
      /(<script type="application\/json" id="boot">)(.*?)(<\/script>)/s,
      (_, before, text, after) => {
        const boot = JSON.parse(text)
        for (const key of Object.keys(boot.replies)) if (key.startsWith(`${method} `)) delete boot.replies[key]
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
      if (call.method !== method) continue
      own.result = make(call.params, own.result)
      // The service may know nothing of a made-up cursor.
      delete own.error
    }
    await route.fulfill({ response: reply, status: 200, json: replies })
  })
}
