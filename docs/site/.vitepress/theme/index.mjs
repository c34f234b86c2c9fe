import DefaultTheme from 'vitepress/theme'
import { OpenInPlace } from './open-in-place.mjs'
import './style.css'

// biome-ignore lint/style/noDefaultExport: VitePress reads it so
export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('OpenInPlace', OpenInPlace),
}
