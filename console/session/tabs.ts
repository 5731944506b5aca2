/** What one tab tells the others of this browser: all share one session. It tells nothing of who, or of whom. */
type Told = 'signed out' | 'changed'

const channel = new BroadcastChannel('registrar')

export const tellTabs = (told: Told) => channel.postMessage(told)

/** Calls when another tab signed out, or when the session ended or began there. */
export function hearTabs({ onSignOut, onChange }: { onSignOut: () => void; onChange: () => void }): void {
  channel.onmessage = ({ data }: MessageEvent<Told>) => (data === 'signed out' ? onSignOut() : onChange())
}
