import type { Terminal } from '../terminal.ts'
import { LineView } from './line-view.ts'
import type { LiveView, LiveViewOptions } from './live-view.ts'
import { ScreenView } from './screen-view.ts'

export function newLiveView(terminal: Terminal, options: LiveViewOptions): LiveView {
  return terminal.takeScreen ? new ScreenView(terminal, options) : new LineView(terminal, options)
}
