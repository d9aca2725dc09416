#include "frontend/models/models.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "frontend/models/bert.h"
#include "frontend/models/gpt2.h"
#include "frontend/models/lenet.h"
#include "frontend/models/llama.h"
#include "frontend/models/mlp.h"
#include "frontend/models/mobilenet.h"
#include "frontend/models/resnet.h"
#include "frontend/models/vgg.h"
#include "frontend/models/vit.h"

namespace vantage::models {

namespace {

using Construct = std::function<graph::Graph(const Weights&, const Sizes&)>;

Construct without_sizes(graph::Graph (*build)(const Weights&)) {
  return [build](const Weights& weights, const Sizes&) { return build(weights); };
}
Construct with_size(graph::Graph (*build)(const Weights&, int64_t), std::string size) {
  return [build, size = std::move(size)](const Weights& weights, const Sizes& sizes) {
    return build(weights, sizes.at(size));
  };
}
graph::Graph build_llama(const Weights& weights, const Sizes& sizes) {
  return llama_1b(weights, sizes.at("tokens"), sizes.at("context"));
}

}  // namespace

graph::Graph Model::build(const Weights& weights, const Sizes& given) const {
  Sizes all;
  std::vector<std::string> names;
  for (const ModelSize& size : sizes) {
    all[size.name] = size.standard;
    names.push_back(size.name);
  }
  for (const auto& [size, value] : given) {
    if (all.count(size) == 0) {
      fail("the model {} has no size {}{}", name, size, names.empty() ? ", nor any other" : did_you_mean(size, names));
    }
    if (value < 1) fail("{}: {} is {}, expected 1 or more", name, size, value);
    all[size] = value;
  }
  return construct(weights, all);
}

std::span<const Model> models() {
  // Of ImageNet's pictures.
  static const std::vector<double> kMean = {0.485, 0.456, 0.406}, kDeviation = {0.229, 0.224, 0.225};
  static const std::vector<double> kHalf = {0.5, 0.5, 0.5};
  static const std::vector<ModelSize> kSequence = {{"sequence", "tokens", 128}};
  static const std::vector<ModelSize> kCache = {{"tokens", "that come at once", 1},
                                                {"context", "tokens that the cache has places for", 2048}};
  static const std::vector<Model> kAll = {
      {"mlp", "a perceptron for digits", without_sizes(mlp), false},
      {"lenet", "a convolutional network for digits, trained on MNIST", without_sizes(lenet), true},
      {"resnet8", "MLPerf Tiny's residual network for images of 32 x 32", without_sizes(resnet8), false},
      {"resnet18", "a residual network of 18 layers", without_sizes(resnet18), false, kMean, kDeviation},
      {"resnet34", "a residual network of 34 layers", without_sizes(resnet34), false, kMean, kDeviation},
      {"resnet50", "a residual network of 50 layers, with bottlenecks", without_sizes(resnet50), false, kMean,
       kDeviation},
      {"vgg16", "VGG's network of 16 layers", without_sizes(vgg16), false, kMean, kDeviation},
      {"mobilenet", "MobileNet v1, of depthwise and pointwise convolutions", without_sizes(mobilenet_v1), false, kMean,
       kDeviation},
      {"mobilenet_v2", "MobileNet v2, with inverted residuals", without_sizes(mobilenet_v2), false, kMean, kDeviation},
      {"vit_tiny", "a transformer of images", without_sizes(vit_tiny), false, kHalf, kHalf},
      {"bert_base", "an encoder of text", with_size(bert_base, "sequence"), false, {}, {}, kSequence},
      {"minilm", "sentences as vectors, all-MiniLM-L6-v2", with_size(minilm, "sequence"), false, {}, {}, kSequence},
      {"gpt2", "GPT-2's smallest, which tells the next token", with_size(gpt2, "sequence"), false, {}, {}, kSequence},
      {"llama_1b", "a decoder of TinyLlama's shape with a cache, one token a step", build_llama, false, {}, {}, kCache},
  };
  return kAll;
}

const Model& find_model(std::string_view name) {
  const std::span<const Model> all = models();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Model& model) { return model.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const Model& model : all) names.push_back(model.name);
  fail("there is no model {}{}", name, did_you_mean(name, names));
}

}  // namespace vantage::models
