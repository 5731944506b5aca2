import { letV8GiveWay } from '../sheets/in-the-background.ts'
import type { Command } from './command.ts'
import { letYoungGenerationGrow } from './memory.ts'
import { agreeToNewDatabase } from './new-database.ts'
import { portOption, withGivenPort } from './port.ts'

/** `serve` */
export const serve: Command = {
  name: 'serve',
  summary: 'Serve the API (npm start)',
  printsItself: true,
  options: portOption,
  help: 'Makes the database at the first start, brings its schema up to date, and looks at it after an unclean stop: a damaged one is read and not written.',
  async run({ config, options, warnings, nodeOptions }) {
    const settings = withGivenPort(config(), options)
    await agreeToNewDatabase(settings)
    // Here, so that the commands that serve nothing need not load the API.
    const { startServer } = await import('./server.ts')
    await startServer(settings, warnings())
    letYoungGenerationGrow(nodeOptions)
    letV8GiveWay()
    return undefined
  },
}
