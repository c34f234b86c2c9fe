import { readFileSync } from 'node:fs'

const { title, description, base, nav, sidebar } = JSON.parse(readFileSync(new URL('../site.json', import.meta.url)))

/** The name of a heading in links, as GitHub makes it: the links of the pages hold on both. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** Braces in code are no expressions of Vue. */
function leaveCodeAlone(markdown) {
  const render = markdown.renderer.rules.code_inline
  markdown.renderer.rules.code_inline = (...all) => render(...all).replace('<code', '<code v-pre')
}

// biome-ignore lint/style/noDefaultExport: VitePress reads it so
export default {
  title,
  description,
  base,
  // None: browsers ask for one otherwise.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'cache',
  cleanUrls: true,
  lastUpdated: false,
  markdown: { anchor: { slugify }, config: leaveCodeAlone },
  themeConfig: { nav, sidebar, outline: [2, 3], search: { provider: 'local' } },
  // The page of all errors, and the index of the search, are large on purpose.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
}
