import type { Config } from '../config.ts'
import { type CommandInput, type CommandOption, UsageError } from './command.ts'

/** The option of the commands that listen. */
export const portOption = {
  port: { value: 'PORT', describe: 'Listen on this port, not on the one of the setting PORT' },
} satisfies Record<string, CommandOption>

/** The configuration with the port that `--port` names. @throws UsageError */
export function withGivenPort(config: Config, { port }: CommandInput['options']): Config {
  if (port === undefined) return config
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return { ...config, port: Number(port) }
  throw new UsageError('--port must be a port from 0 to 65535; with 0 the system chooses one.')
}
