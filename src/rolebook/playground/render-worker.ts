/** The worker of the worker that renders charts: the thread of the engine, with what a browser has in place of Node's parts. */
import './browser/globals.ts'
import '../../engine/chart/render-worker.ts'
