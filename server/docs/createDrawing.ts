// Documents that take tens to hundreds of milliseconds each. They are drawn to order, by values that a thread can be given.

import type { Registry } from '../../shared/registry.ts'
import { createComponents } from './components.ts'
import type { DrawDocument } from './documentOrder.ts'
import { entriesOf } from './entries.ts'
import { once } from './once.ts'
import { openapi } from './openapi.ts'
import { methodList, openrpc, openrpcOfMethod } from './openrpc.ts'
import { guidePage, guidesPage } from './pages/guide.ts'
import { drawReference } from './pages/referencePage.ts'
import type { ServiceFacts } from './serviceFacts.ts'

/** Draws in this thread. */
export function createDrawing(registry: Registry, facts: ServiceFacts): DrawDocument {
  const components = once(() => createComponents(registry, 'draft-2020-12'))
  const rpcComponents = once(() => createComponents(registry, 'draft-7'))

  function methods(): readonly string[] {
    const each = entriesOf(registry).map((entry) => openrpcOfMethod(entry, facts, rpcComponents()))
    return [methodList(registry, rpcComponents()), ...each].map((document) => JSON.stringify(document))
  }

  return async (order) => {
    switch (order.kind) {
      case 'openapi':
        return [JSON.stringify(openapi(order.version, registry, facts, components()))]
      case 'openrpc':
        return [JSON.stringify(openrpc(registry, facts, rpcComponents()))]
      case 'methods':
        return methods()
      case 'reference': {
        const { page, calls } = drawReference(order.version, registry, facts, components())
        return [page, JSON.stringify(calls)]
      }
      case 'guides':
        return [guidesPage(facts)]
      case 'guide':
        return [guidePage(order.name, facts)]
    }
  }
}
