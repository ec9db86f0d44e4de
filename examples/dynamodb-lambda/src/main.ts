// Calls the handler as Lambda would, against the server at DYNAMODB_ENDPOINT.
if (process.env["DYNAMODB_ENDPOINT"] === undefined) {
  console.log("Set DYNAMODB_ENDPOINT to a DynamoDB Local, such as http://127.0.0.1:8000");
  process.exit(1);
}
process.env["AWS_REGION"] ??= "eu-central-1";
process.env["AWS_ACCESS_KEY_ID"] ??= "local";
process.env["AWS_SECRET_ACCESS_KEY"] ??= "local";

const { handler, saver } = await import("./handler.js");
// In earnest, by CloudFormation or Terraform: the README of @langgraph-savers/dynamodb has both.
await saver.setup();
for (const user of ["ada", "grace", "ada"]) {
  const { statusCode, body } = await handler({ user });
  console.log(`${user}: ${statusCode} ${body}`);
}
