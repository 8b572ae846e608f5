/**
 * Imports a package of this folder's own `package.json`. The workspace does not have them, and its checks run where they are
 * not installed: who loads one describes the little that it uses of it.
 */
export async function loadPeer<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module;
}
