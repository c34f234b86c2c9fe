import type { Terminal } from '../terminal.ts'
import { PreviewLines } from './preview-lines.ts'
import { PreviewScreen } from './preview-screen.ts'
import type { PreviewView } from './preview-view.ts'

export function newPreviewView(terminal: Terminal): PreviewView {
  return terminal.takeScreen ? new PreviewScreen(terminal, terminal.takeScreen) : new PreviewLines(terminal)
}
