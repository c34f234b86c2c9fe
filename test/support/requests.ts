import type { Request } from '../../src/engine/runtime/reconciler.ts'

/** A request for a Widget: `widget('a')` in namespace `default`, `widget('team/a')` elsewhere. */
export function widget(text: string): Request {
  const [name = '', namespace = 'default'] = text.split('/').reverse()
  return { group: 'example.com', kind: 'Widget', namespace, name }
}
