import type { InitializeHook, ResolveHook } from "node:module";

/** What the hooks are told when they are registered. */
export interface ProjectHookData {
  /** Any URL in the project's folder. */
  project: string;
  /** The folder of the kit's own modules. */
  kit: string;
}

let data: ProjectHookData | undefined;

export const initialize: InitializeHook<ProjectHookData> = (given) => {
  data = given;
};

/** LangChain's packages, where the kit imports them, come from the project; what it has not, from the kit. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const { parentURL } = context;
  if (data === undefined || !specifier.startsWith("@langchain/") || parentURL?.startsWith(data.kit) !== true)
    return next(specifier, context);
  try {
    return await next(specifier, { ...context, parentURL: data.project });
  } catch {
    // Named again: Node merges what one call was given into the context of the next.
    return next(specifier, { ...context, parentURL });
  }
};
