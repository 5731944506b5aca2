import type { Command } from './command.ts'
import { letYoungGenerationGrow } from './memory.ts'

/** `serve` */
export const serve: Command = {
  name: 'serve',
  summary: 'Serve the API (npm start)',
  printsItself: true,
  help: 'Makes the database at the first start, brings its schema up to date, and looks at it after an unclean stop: a damaged one is read and not written.',
  async run({ config, warnings, nodeOptions }) {
    // Here, so that the commands that serve nothing need not load the API.
    const { startServer } = await import('./server.ts')
    await startServer(config(), warnings())
    letYoungGenerationGrow(nodeOptions)
    return undefined
  },
}
