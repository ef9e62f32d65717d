// The explorer's page. It begins with what the service wrote into it, follows the chain, and shows the view of its address.
// It sees the client and pure files of `shared/`; the service knows nothing of it but its files.

import { render } from 'preact'
import { App } from './App.tsx'
import { Notices, startFrame } from './frame.tsx'
import { startLive } from './live.ts'
import { pageOf } from './pageList.tsx'
import { markSameAddresses } from './parts/Address.tsx'
import { Toasts } from './parts/Toast.tsx'
import { place, startRouter } from './router.ts'

function mount(id: string, content: preact.ComponentChild): void {
  const element = document.getElementById(id)
  if (element === null) return
  element.replaceChildren()
  render(content, element)
}

/** What the service wrote stays until the script of its page is there; without it the page says why. */
async function showPage(): Promise<void> {
  const { view } = place.value
  if (view !== null)
    await pageOf(view.page)
      .load()
      .catch(() => undefined)
  mount('main', <App />)
}

startRouter()
startLive()
startFrame()
markSameAddresses()
void showPage()
mount('notices', <Notices />)
mount('toasts', <Toasts />)
