import { render } from 'preact'
import { App } from './app.tsx'
import { Store } from './store.ts'

const store = new Store()
const place = document.getElementById('app')
if (place) render(<App store={store} />, place)
void store.start()
