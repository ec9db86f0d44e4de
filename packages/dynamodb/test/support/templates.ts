import type {
  CreateTableCommandInput,
  GlobalSecondaryIndex,
  ScalarAttributeType,
} from "@aws-sdk/client-dynamodb";
import { parse } from "yaml";

import { snippet } from "./readme.js";

/** A table as a template of the README has it. */
export interface Template {
  table: CreateTableCommandInput;
  timeToLive: { AttributeName: string; Enabled: boolean };
  backups: boolean;
}

interface CloudFormation {
  Resources: Record<
    string,
    {
      Type: string;
      Properties: CreateTableCommandInput & {
        TimeToLiveSpecification: Template["timeToLive"];
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: boolean };
      };
    }
  >;
}

export function cloudFormation(): Template {
  const { Resources } = parse(snippet("### CloudFormation", "yaml")) as CloudFormation;
  const { Type, Properties } = Object.values(Resources)[0]!;
  if (Type !== "AWS::DynamoDB::Table") throw new Error(`The template makes a ${Type}.`);
  const { TimeToLiveSpecification, PointInTimeRecoverySpecification, ...table } = Properties;
  return {
    // Properties of this resource are those of the request.
    table,
    timeToLive: TimeToLiveSpecification,
    backups: PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
  };
}

interface CdkKey {
  name: string;
  type: ScalarAttributeType;
}

interface CdkKeys {
  partitionKey: CdkKey;
  sortKey: CdkKey;
}

interface CdkTable extends CdkKeys {
  tableName: string;
  timeToLiveAttribute: string;
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: boolean };
  globalSecondaryIndexes: (CdkKeys & {
    indexName: string;
    projectionType: "INCLUDE";
    nonKeyAttributes: string[];
  })[];
}

/** Runs the snippet with a stand-in for the constructs, which are 200 MB to install. */
export function cdk(): Template {
  let made: CdkTable | undefined;
  function TableV2(_scope: unknown, _id: string, properties: CdkTable): void {
    made = properties;
  }
  const constructs = { TableV2, AttributeType: { STRING: "S" }, ProjectionType: { INCLUDE: "INCLUDE" } };
  // oxlint-disable-next-line typescript/no-implied-eval -- it is the README's own code
  new Function("dynamodb", snippet("### CDK", "ts"))(constructs);
  const { tableName, globalSecondaryIndexes, ...table } = made!;
  const keys = [table, ...globalSecondaryIndexes].flatMap(({ partitionKey, sortKey }) => [
    partitionKey,
    sortKey,
  ]);
  const types = new Map(keys.map(({ name, type }) => [name, type]));
  return {
    table: {
      TableName: tableName,
      // TableV2 is on demand unless told.
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({
        AttributeName,
        AttributeType,
      })),
      KeySchema: keySchema(table.partitionKey.name, table.sortKey.name),
      GlobalSecondaryIndexes: globalSecondaryIndexes.map(
        ({ indexName, partitionKey, sortKey, projectionType, nonKeyAttributes }): GlobalSecondaryIndex => ({
          IndexName: indexName,
          KeySchema: keySchema(partitionKey.name, sortKey.name),
          Projection: { ProjectionType: projectionType, NonKeyAttributes: nonKeyAttributes },
        }),
      ),
    },
    timeToLive: { AttributeName: table.timeToLiveAttribute, Enabled: true },
    backups: table.pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled,
  };
}

type Block = Record<string, unknown> & { blocks: Record<string, Block[]> };

export function terraform(): Template {
  const [table] = hcl(snippet("### Terraform", "hcl")).blocks["resource aws_dynamodb_table checkpoints"]!;
  const { blocks } = table!;
  const [ttl] = blocks["ttl"]!;
  return {
    table: {
      TableName: table!["name"] as string,
      BillingMode: table!["billing_mode"] as "PAY_PER_REQUEST",
      AttributeDefinitions: blocks["attribute"]!.map(({ name, type }) => ({
        AttributeName: name as string,
        AttributeType: type as ScalarAttributeType,
      })),
      KeySchema: keySchema(table!["hash_key"], table!["range_key"]),
      GlobalSecondaryIndexes: blocks["global_secondary_index"]!.map((index): GlobalSecondaryIndex => ({
        IndexName: index["name"] as string,
        KeySchema: keySchema(index["hash_key"], index["range_key"]),
        Projection: {
          ProjectionType: index["projection_type"] as "INCLUDE",
          NonKeyAttributes: index["non_key_attributes"] as string[],
        },
      })),
    },
    timeToLive: { AttributeName: ttl!["attribute_name"] as string, Enabled: ttl!["enabled"] as boolean },
    backups: blocks["point_in_time_recovery"]![0]!["enabled"] as boolean,
  };
}

/** As much of HCL as the snippet needs: blocks, and attributes whose values are also JSON. Anything else throws. */
function hcl(text: string): Block {
  const root: Block = { blocks: {} };
  const open = [root];
  for (const line of text.split("\n").map((each) => each.replace(/#.*/, "").trim())) {
    if (line === "") continue;
    const block = /^(\w+(?: "\w+")*) \{$/.exec(line);
    const attribute = /^(\w+) += (.+)$/.exec(line);
    if (block !== null) {
      const inner: Block = { blocks: {} };
      (open.at(-1)!.blocks[block[1]!.replaceAll('"', "")] ??= []).push(inner);
      open.push(inner);
    } else if (attribute !== null) open.at(-1)![attribute[1]!] = JSON.parse(attribute[2]!) as unknown;
    else if (line === "}") open.pop();
    else throw new Error(`Not understood: ${line}`);
  }
  if (open.length !== 1) throw new Error("A block is not closed.");
  return root;
}

function keySchema(hash: unknown, range: unknown): CreateTableCommandInput["KeySchema"] {
  return [
    { AttributeName: hash as string, KeyType: "HASH" },
    { AttributeName: range as string, KeyType: "RANGE" },
  ];
}
