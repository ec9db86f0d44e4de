export interface Fault { at: number }
export interface FaultProxy { uri: string }
export function startFaultProxy(): void {}
